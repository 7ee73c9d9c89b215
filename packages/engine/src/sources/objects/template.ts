/** `{{ path }}` in the template of a rule. */
export const placeholder = /\{\{([^{}]*)\}\}/g;

/** The paths that a template names. */
export function pathsIn(template: string): string[] {
  return Array.from(template.matchAll(placeholder), ([, path = '']) => path.trim());
}
