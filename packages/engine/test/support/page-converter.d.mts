import type { Plugin } from '@trove/core';

declare const pages: Plugin;
export default pages;
