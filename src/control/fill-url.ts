/** The path of a route with its parameters in place, percent-encoded once. */
export function fillUrl(url: string, params: Readonly<Record<string, string>> = {}): string {
  return url.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`The route ${url} needs ${name}`)
    return encodeURIComponent(value)
  })
}
