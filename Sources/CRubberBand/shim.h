#ifndef TIMEWARP_CRUBBERBAND_SHIM_H
#define TIMEWARP_CRUBBERBAND_SHIM_H

#include <rubberband/rubberband-c.h>

#endif
