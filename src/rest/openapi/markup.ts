const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** HTML that is finished: values in it are escaped already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Html[]

function shown(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return String(part).replace(/[&<>"']/g, character => ESCAPES[character] ?? '')
}

/**
 * A template of HTML whose values are escaped, except those that are HTML themselves. Not called html: formatters would
 * then change the text, and with it the hash of the style.
 */
export function markup(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(template.map((text, i) => (i === 0 ? text : shown(parts[i - 1] ?? '') + text)).join(''))
}
