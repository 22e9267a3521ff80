/** A PDF of one page a text, as small as one can be. Texts in Latin letters without brackets. */
export function smallPdf(title: string, pages: readonly string[], { locked = false } = {}): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, index) => {
      const drawn = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      ]
    }),
    `<< /Title (${title}) >>`,
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const xref = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  // No password fits these.
  const hash = '00'.repeat(32)
  const lock = locked
    ? `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${hash}> /U <${hash}> >> /ID [<00> <00>]`
    : ''
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R ${lock}>>`
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${xref}trailer\n${trailer}\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
