import { defineLanguageModel } from '@trove/core/model';
import { RulesModel } from './rules-model.js';

/**
 * The default language model. It finds triplets by rules and answers with quotations. It needs no download and no key.
 */
export default defineLanguageModel({
  keys: ['rules'],
  configSchema: { type: 'object', properties: {}, additionalProperties: false },
  create: () => new RulesModel(),
});
