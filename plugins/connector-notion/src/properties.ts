export interface RichText {
  readonly plain_text: string;
}

interface Named {
  readonly name?: string | null;
  readonly id?: string;
}

interface DateRange {
  readonly start: string;
  readonly end: string | null;
}

/** The value of a formula or of a rollup. */
type Computed =
  | { readonly type: 'string'; readonly string: string | null }
  | { readonly type: 'number'; readonly number: number | null }
  | { readonly type: 'boolean'; readonly boolean: boolean | null }
  | { readonly type: 'date'; readonly date: DateRange | null }
  | { readonly type: 'array'; readonly array: readonly Property[] };

/** A property of a page or row. */
export type Property =
  | { readonly type: 'title'; readonly title: readonly RichText[] }
  | { readonly type: 'rich_text'; readonly rich_text: readonly RichText[] }
  | { readonly type: 'number'; readonly number: number | null }
  | { readonly type: 'checkbox'; readonly checkbox: boolean }
  | { readonly type: 'select'; readonly select: Named | null }
  | { readonly type: 'status'; readonly status: Named | null }
  | { readonly type: 'multi_select'; readonly multi_select: readonly Named[] }
  | { readonly type: 'date'; readonly date: DateRange | null }
  | { readonly type: 'people'; readonly people: readonly Named[] }
  | { readonly type: 'files'; readonly files: readonly Named[] }
  | { readonly type: 'relation'; readonly relation: readonly Named[] }
  | { readonly type: 'url'; readonly url: string | null }
  | { readonly type: 'email'; readonly email: string | null }
  | { readonly type: 'phone_number'; readonly phone_number: string | null }
  | { readonly type: 'created_time'; readonly created_time: string }
  | { readonly type: 'last_edited_time'; readonly last_edited_time: string }
  | { readonly type: 'created_by'; readonly created_by: Named }
  | { readonly type: 'last_edited_by'; readonly last_edited_by: Named }
  | {
      readonly type: 'unique_id';
      readonly unique_id: { readonly prefix?: string | null; readonly number: number | null };
    }
  | { readonly type: 'verification'; readonly verification: { readonly state: string } | null }
  | { readonly type: 'place'; readonly place: Named | null }
  | { readonly type: 'formula'; readonly formula: Computed }
  | { readonly type: 'rollup'; readonly rollup: Computed }
  | { readonly type: 'button' };

export type Properties = Readonly<Record<string, Property>>;

/** A value that texts and filters can use. */
type PlainValue = string | number | boolean | readonly (string | number | boolean)[];

export function plainText(parts: readonly RichText[]): string {
  return parts.map(({ plain_text }) => plain_text).join('');
}

/** Returns the title among the properties of a page, or ''. */
export function titleOf(properties: Properties): string {
  for (const property of Object.values(properties))
    if (property.type === 'title') return plainText(property.title);
  return '';
}

/** Returns the values of all properties except the title and those without a value. */
export function propertyValues(properties: Properties): Record<string, PlainValue> {
  const values: Record<string, PlainValue> = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = property.type === 'title' ? null : valueOf(property);
    if (!isEmpty(value)) values[name] = value;
  }
  return values;
}

/** Null for a property without a value, and for types that this version does not know. */
function valueOf(property: Property): PlainValue | null {
  switch (property.type) {
    case 'title':
      return plainText(property.title);
    case 'rich_text':
      return plainText(property.rich_text);
    case 'number':
      return property.number;
    case 'checkbox':
      return property.checkbox;
    case 'select':
      return nameOf(property.select);
    case 'status':
      return nameOf(property.status);
    case 'multi_select':
      return namesOf(property.multi_select);
    case 'date':
      return dateText(property.date);
    case 'people':
      return namesOf(property.people);
    case 'files':
      return namesOf(property.files);
    case 'relation':
      return namesOf(property.relation);
    case 'url':
      return property.url;
    case 'email':
      return property.email;
    case 'phone_number':
      return property.phone_number;
    case 'created_time':
      return property.created_time;
    case 'last_edited_time':
      return property.last_edited_time;
    case 'created_by':
      return nameOf(property.created_by);
    case 'last_edited_by':
      return nameOf(property.last_edited_by);
    case 'unique_id':
      return uniqueId(property.unique_id);
    case 'verification':
      return property.verification?.state ?? null;
    case 'place':
      return nameOf(property.place);
    case 'formula':
      return computedValue(property.formula);
    case 'rollup':
      return computedValue(property.rollup);
    default:
      return null;
  }
}

function computedValue(computed: Computed): PlainValue | null {
  switch (computed.type) {
    case 'string':
      return computed.string;
    case 'number':
      return computed.number;
    case 'boolean':
      return computed.boolean;
    case 'date':
      return dateText(computed.date);
    case 'array':
      return computed.array.flatMap((property) => {
        const value = valueOf(property);
        return isEmpty(value) ? [] : value;
      });
    default:
      return null;
  }
}

function dateText(date: DateRange | null): string | null {
  if (date === null) return null;
  return date.end === null ? date.start : `${date.start}/${date.end}`;
}

function uniqueId({
  prefix,
  number,
}: {
  readonly prefix?: string | null;
  readonly number: number | null;
}): string | number | null {
  return typeof prefix === 'string' && number !== null ? `${prefix}-${number}` : number;
}

/** People have names only if the integration may read them. */
function nameOf(item: Named | null): string | null {
  return item?.name ?? item?.id ?? null;
}

function namesOf(items: readonly Named[]): string[] {
  return items.flatMap((item) => nameOf(item) ?? []);
}

function isEmpty(value: PlainValue | null): value is null {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
