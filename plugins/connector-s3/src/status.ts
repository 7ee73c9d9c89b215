/** Status for an object without bytes in the requested range. */
export const rangeNotSatisfiable = 416;
