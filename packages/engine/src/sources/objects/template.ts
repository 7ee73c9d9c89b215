/** `{{ path }}` in the template of a rule. */
export const placeholder = /\{\{([^{}]*)\}\}/g;

/** Returns the paths in a template. */
export function pathsIn(template: string): string[] {
  return Array.from(template.matchAll(placeholder), ([, path = '']) => path.trim());
}
