import type { DependencyContainer } from '@trove/core/di';
import { registerClass } from './di/registration.js';
import { AskService, AskToken } from './query/ask/ask-service.js';
import { BrowseService, BrowseToken } from './query/browse/browse-service.js';
import { PathReasons, PathReasonsToken } from './query/browse/path-reasons.js';
import { ReadService, ReadToken } from './query/browse/read-service.js';
import { GrepService, GrepToken } from './query/grep/grep-service.js';
import { SearchService, SearchToken } from './query/search/search-service.js';
import { DefinitionReader, DefinitionReaderToken } from './query/symbols/definition-reader.js';
import { SymbolService, SymbolsToken } from './query/symbols/symbol-service.js';

/** Registers the services that answer callers from the sources and generations that they see. */
export function registerVisibleQueries(container: DependencyContainer): void {
  registerClass(container, PathReasonsToken, PathReasons);
  registerClass(container, GrepToken, GrepService);
  registerClass(container, DefinitionReaderToken, DefinitionReader);
  registerClass(container, SymbolsToken, SymbolService);
  registerClass(container, SearchToken, SearchService);
  registerClass(container, AskToken, AskService);
  registerClass(container, ReadToken, ReadService);
  registerClass(container, BrowseToken, BrowseService);
}
