/**
 * Formats of settings that `ajv-formats` lacks. `host` is an IP address or a host name. Underscores are allowed because
 * container names have them. The other formats mark addresses in any script, and their values are not checked.
 */
export const configFormats: Readonly<Record<string, RegExp | true>> = {
  host: /^(?:[\w-]+(?:\.[\w-]+)*\.?|[0-9a-f]*(?::[0-9a-f]*){2,7}(?:\.\d+){0,3})$/i,
  'idn-hostname': true,
  iri: true,
  'iri-reference': true,
};
