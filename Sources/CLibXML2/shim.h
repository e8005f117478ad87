// Imports libxml2's reader and adds what differs between its versions, each with its reason.
#ifndef TIMEWARP_CLIBXML2_SHIM_H
#define TIMEWARP_CLIBXML2_SHIM_H

// Where libxml2 is built with ICU, its encoding.h includes ICU's headers for one field that nothing here uses. They
// declare what Foundation's own ICU declares too, and Swift refuses the two. So the question is answered with no
// before anything asks.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>

// The type of the last error is const in newer versions only.
static inline int tw_last_xml_error(void) {
    const xmlError *error = xmlGetLastError();
    return error ? error->code : 0;
}

// Whether the DOCTYPE that the reader is at is more than a name: declares anything, or names another file. Asking the reader
// for the document instead would make the caller its owner.
static inline int tw_declares(xmlTextReaderPtr reader) {
    xmlDtdPtr type = (xmlDtdPtr)xmlTextReaderCurrentNode(reader);
    return type && (type->children || type->ExternalID || type->SystemID);
}

#endif
