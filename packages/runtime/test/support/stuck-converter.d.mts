import type { ConverterPlugin } from '@trove/core';

declare const stuck: ConverterPlugin;
export default stuck;
