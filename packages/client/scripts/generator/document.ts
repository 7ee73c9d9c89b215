/** The parts of an OpenAPI 3.1 document that the generator reads. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  /** Marks a member of a body like a parameter. */
  readonly 'x-untyped'?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  /** The parameter changes the form of the response, which the types of a client cannot express. */
  readonly 'x-untyped'?: boolean;
}

export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

const httpMethods = ['get', 'put', 'post', 'delete', 'patch'] as const;

type PathItem = Readonly<Partial<Record<(typeof httpMethods)[number], Operation>>>;

/** Returns every operation of the document in order, except HEAD operations, which answer like GET. */
export function operationsOf(
  document: OpenApiDocument,
): { path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    httpMethods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method: method.toUpperCase(), operation }];
    }),
  );
}

/** Resolves a reference. Returns other schemas unchanged. */
export function dereference(document: OpenApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  const found = document.components?.schemas?.[name];
  if (found === undefined) throw new Error(`${schema.$ref} does not exist`);
  return dereference(document, found);
}
