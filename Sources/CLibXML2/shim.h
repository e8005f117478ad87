// Imports libxml2's reader and adds what differs between its versions, each with its reason.
#ifndef TIMEWARP_CLIBXML2_SHIM_H
#define TIMEWARP_CLIBXML2_SHIM_H

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>

// The type of the last error is const in newer versions only.
static inline int tw_last_xml_error(void) {
    const xmlError *error = xmlGetLastError();
    return error ? error->code : 0;
}

// Whether a document's DOCTYPE is more than a name: declares anything, or names another file.
static inline int tw_declares(xmlTextReaderPtr reader) {
    xmlDocPtr document = xmlTextReaderCurrentDoc(reader);
    xmlDtdPtr type = document ? document->intSubset : NULL;
    return type && (type->children || type->ExternalID || type->SystemID);
}

#endif
