import {
  everyThird,
  markedText,
  marksIn,
  nextEdition,
  type SyncLaw,
} from '@trove/test-support/sync-law.js';
import { exampleConfig } from './example.js';
import { startStock } from './stock-service.js';

const count = 9;

export const law: SyncLaw = {
  schemes: ['rest'],
  async start() {
    const { stock, service } = await startStock();
    const now = (): string => new Date().toISOString();
    for (let id = 1; id <= count; id++) {
      stock.addProduct(id, { description: markedText(), updated_at: now() });
      stock.addSheet(`s/${id}`, `#${id} 100% ✨.txt`, `${markedText()}\n`);
    }
    const present = () => [...stock.products.values()].filter(({ deleted }) => !deleted);
    return {
      target: 'rest://stock',
      config: { ...(await exampleConfig(service.origin)), secrets: { token: 'good' } },
      content: () => ({
        products: marksIn(present()),
        ...Object.fromEntries(
          [...stock.sheets.values()].map(({ name, text }) => [`sheets/${name}`, marksIn(text)]),
        ),
      }),
      changeAll: () => {
        for (const product of present())
          Object.assign(product, {
            description: nextEdition(product.description),
            updated_at: now(),
          });
        for (const sheet of stock.sheets.values())
          Object.assign(sheet, { text: nextEdition(sheet.text), version: sheet.version + 1 });
      },
      removeThird: () => {
        for (const product of everyThird(present()))
          Object.assign(product, { deleted: true, updated_at: now() });
        for (const id of everyThird(stock.sheets.keys())) stock.sheets.delete(id);
      },
      [Symbol.asyncDispose]: () => service.stop(),
    };
  },
};
