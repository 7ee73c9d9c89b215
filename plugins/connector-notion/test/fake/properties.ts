import type { NotionWorld, Property } from './world.js';

type Json = Record<string, unknown>;

export function richText(text: string): Json[] {
  if (text === '') return [];
  const annotations = {
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    code: false,
    color: 'default',
  };
  const content = { content: text, link: null };
  return [{ type: 'text', text: content, annotations, plain_text: text, href: null }];
}

/** The value of a property of a row. */
export function propertyForm(name: string, property: Property, world: NotionWorld): Json {
  const { type } = property;
  return { id: name.toLowerCase(), type, [type]: valueForm(property, world) };
}

function valueForm(property: Property, world: NotionWorld): unknown {
  switch (property.type) {
    case 'date':
      return { start: property.value.start, end: property.value.end ?? null, time_zone: null };
    case 'formula':
      return { type: 'string', string: property.value };
    case 'multi_select':
      return property.value.map(option);
    case 'people':
      return property.value.map((id) => personForm(id, world));
    case 'relation':
      return property.value.map((id) => ({ id }));
    case 'rich_text':
      return richText(property.value);
    case 'select':
    case 'status':
      return option(property.value);
    case 'unique_id':
      return { number: property.value, prefix: 'T' };
    default:
      return property.value;
  }
}

function option(name: string): Json {
  return { id: name.toLowerCase(), name, color: 'default' };
}

/** People have names only if the token may read users. */
function personForm(id: string, world: NotionWorld): Json {
  const name = world.users.get(id)?.name;
  return { object: 'user', id, ...(world.capabilities.has('users') ? { name } : {}) };
}
