import type { ConverterPlugin } from '@trove/core';

declare const greedy: ConverterPlugin;
export default greedy;
