/** Whether a host name or address, with or without the brackets of IPv6, is this machine and nothing else. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}
