/**
 * The Authorization header of a request when there is exactly one. Node keeps the first of several and a proxy in front
 * may judge another, so several count as malformed: an empty value, which no gate lets in.
 *
 * @param request as node:http has it
 */
export function authorizationOf(request: {
  readonly headersDistinct: Readonly<Partial<Record<string, readonly string[]>>>
}): string | undefined {
  const values = request.headersDistinct['authorization'] ?? []
  return values.length > 1 ? '' : values[0]
}
