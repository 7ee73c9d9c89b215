/** What a store answers when an object has no bytes in a range. */
export const beyond = 416;
