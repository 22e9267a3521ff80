import { convert, type FormatCallback } from 'html-to-text'
import { type DocumentText, section } from './document-sections.js'

/** Stands before a heading and behind it in the text; a document's own are taken out before. */
const MARK = '\u0001'

const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 })
  builder.addLiteral(MARK)
  walk(element.children, builder)
  builder.addLiteral(MARK)
  builder.closeBlock({ trailingLineBreaks: 2 })
}

/**
 * HTML as text, a section from each heading to the next. Where links and images point to is left out, scripts and styles
 * too.
 */
export function readHtml(html: string): DocumentText {
  const clean = html.replaceAll(MARK, '')
  const text = convert(clean, {
    wordwrap: false,
    formatters: { heading },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'nav', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({ selector, format: 'heading' })),
    ],
  })
  const title = convert(clean, {
    wordwrap: false,
    baseElements: { selectors: ['title'], returnDomByDefault: false },
  }).trim()
  // Text before the first heading, then heading and text in turn.
  const [before = '', ...rest] = text.split(MARK)
  const headings = rest.filter((_, index) => index % 2 === 0)
  const texts = rest.filter((_, index) => index % 2 === 1)
  return {
    title: title === '' ? headings[0]?.trim() : title,
    sections: [...section(undefined, before), ...headings.flatMap((name, index) => section(name, texts[index] ?? ''))],
  }
}
