#ifndef TIMEWARP_CCAIRO_SHIM_H
#define TIMEWARP_CCAIRO_SHIM_H

#include <cairo.h>
/* Not part of cairo.h: the surface that writes SVG. */
#include <cairo-svg.h>

#endif
