/** What a request line asks for, in its parts. */
export interface RequestTarget {
  /** Host and port when the target is a whole address (`GET http://host:1/path`, as to a proxy), in whatever form it is. */
  readonly authority?: string
  readonly path: string
  /** Without the question mark. */
  readonly query: string
}

/** The target of a request line (RFC 9112, 3.2). Of a whole address the authority is what counts, not the header Host. */
export function requestTarget(url: string): RequestTarget {
  const whole = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(url)
  const [path = '', query = ''] = (whole?.[2] ?? url).split('?', 2)
  return whole === null ? { path, query } : { authority: whole[1] ?? '', path: path === '' ? '/' : path, query }
}

/** What access logs say of a path at which there is nothing: what was written there may be the id of a call. */
export const NO_ROUTE = '(no route)'
