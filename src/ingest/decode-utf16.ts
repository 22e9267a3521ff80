/** Text in UTF-16, as Windows writes it, as UTF-8. Halves of characters that have no other half become U+FFFD. */
export async function* decodeUtf16(
  chunks: AsyncIterable<Buffer>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
  yield Buffer.from(decoder.decode())
}
