/** What a store answers when an object has no bytes in a range. */
export const rangeNotSatisfiable = 416;
