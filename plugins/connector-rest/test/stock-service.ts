import {
  type FakeAnswer,
  type FakeRequest,
  type FakeService,
  type ServiceModel,
  startFakeService,
} from '@trove/connector-kit/http/fake';

export interface Product {
  readonly id: number;
  name: string;
  description: string;
  updated_at: string;
  category: string;
  price: number;
  tags: readonly string[];
  deleted: boolean;
  readonly buyer: { readonly name: string };
}

export interface Sheet {
  readonly id: string;
  readonly name: string;
  text: string;
  version: number;
}

const root = '/api/v1';

/** The imaginary stock API that `examples/web-api/stock.toml` describes. */
export class Stock implements ServiceModel {
  readonly products = new Map<number, Product>();
  readonly sheets = new Map<string, Sheet>();
  readonly tokens = new Set(['good']);
  readonly pageSize = 2;

  addProduct(id: number, own: Partial<Product> = {}): Product {
    const product = {
      id,
      name: `Product ${id}`,
      description: `A rope of ${id} metres`,
      updated_at: new Date(1_700_000_000_000 + id).toISOString(),
      category: id % 2 === 0 ? 'ropes' : 'hooks',
      price: id * 10,
      tags: ['new'],
      deleted: false,
      buyer: { name: 'Ann Archer' },
      ...own,
    };
    this.products.set(id, product);
    return product;
  }

  addSheet(id: string, name: string, text: string): Sheet {
    const sheet = { id, name, text, version: 1 };
    this.sheets.set(id, sheet);
    return sheet;
  }

  answer(request: FakeRequest): FakeAnswer {
    const token = (request.headers['authorization'] ?? '').replace('Bearer ', '');
    if (!this.tokens.has(token)) return this.unauthorized(request);
    if (!request.path.startsWith(`${root}/`)) return notFound;
    const [kind, id, part] = request.path.slice(root.length + 1).split('/');
    if (kind === 'me') return { json: { name: 'Robot' } };
    if (kind === 'products' && id === undefined) return this.#listProducts(request);
    if (kind === 'products') {
      const product = this.products.get(Number(id));
      return product === undefined || product.deleted ? notFound : { json: product };
    }
    if (kind === 'sheets' && id === undefined) return this.#listSheets(request);
    const sheet = this.sheets.get(decodeURIComponent(id ?? ''));
    return sheet === undefined || part !== 'content'
      ? notFound
      : { body: sheet.text, headers: { 'content-type': 'text/plain' } };
  }

  rateLimited(_request: FakeRequest, retryAfterMs: number): FakeAnswer {
    const headers = { 'retry-after': String(retryAfterMs / 1000) };
    return { status: 429, headers, json: { message: 'slow down' } };
  }

  unauthorized(_request: FakeRequest): FakeAnswer {
    return { status: 401, json: { message: 'Bad credentials' } };
  }

  #listProducts({ query }: FakeRequest): FakeAnswer {
    const since = query.get('updated_since');
    const all = [...this.products.values()].filter(({ deleted, updated_at: at }) =>
      since === null ? !deleted : at >= since,
    );
    const start = Number(query.get('cursor') ?? 0);
    const end = start + this.pageSize;
    const cursor = end < all.length ? String(end) : null;
    return { json: { data: all.slice(start, end), meta: { next_cursor: cursor } } };
  }

  #listSheets({ query, origin, path }: FakeRequest): FakeAnswer {
    const page = Number(query.get('page') ?? 1);
    const all = [...this.sheets.values()].map(({ id, name, version }) => ({
      id,
      name,
      version,
      modified: 1_700_000_000 + version,
    }));
    const shown = all.slice(page - 1, page);
    const link = `<${origin}${path}?page=${page + 1}>; rel="next"`;
    return { json: { sheets: shown }, headers: page < all.length ? { link } : {} };
  }
}

const notFound: FakeAnswer = { status: 404, json: { message: 'Not Found' } };

export async function startStock(): Promise<{ stock: Stock; service: FakeService }> {
  const stock = new Stock();
  return { stock, service: await startFakeService(stock) };
}
