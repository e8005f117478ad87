#ifndef TIMEWARP_CCAIRO_SHIM_H
#define TIMEWARP_CCAIRO_SHIM_H

#include <cairo.h>
/* cairo.h doesn't declare the SVG surface. */
#include <cairo-svg.h>

#endif
