/**
 * Formats of settings that `ajv-formats` lacks. `host` is the name of a host, which may have underscores as those of
 * containers do, or an address. The others mark addresses in any script, and their values are not checked.
 */
export const configFormats: Readonly<Record<string, RegExp | true>> = {
  host: /^(?:[\w-]+(?:\.[\w-]+)*\.?|[0-9a-f]*(?::[0-9a-f]*){2,7}(?:\.\d+){0,3})$/i,
  'idn-hostname': true,
  iri: true,
  'iri-reference': true,
};
