/** Loads what makes text of HTML: formats that read it need it, and only where files are read. */
export async function loadHtmlText(): Promise<(html: string) => string> {
  const { convert } = await import('html-to-text')
  return html =>
    // Text without tags is no HTML, and stays as it is laid out.
    /[<&]/.test(html)
      ? convert(html, {
          wordwrap: false,
          limits: { maxDepth: 50, maxInputLength: 1_000_000 },
          selectors: [
            { selector: 'a', options: { ignoreHref: true } },
            { selector: 'img', format: 'skip' },
            { selector: 'blockquote', format: 'skip' },
          ],
        }).trim()
      : html.trim()
}
