import { z } from 'zod'
import { echo } from '../../base/text.js'
import { reader } from './reader.js'

const hostSchema = z.union([z.ipv4(), z.ipv6(), z.hostname()])

/** A host name or IP address to listen on, without a port. */
export function host(): z.ZodType<string, string> {
  return reader(text => {
    const accepted = hostSchema.safeParse(text).success
    return accepted ? { value: text } : { wrong: `is ${echo(text)}, not a host name or an IP address` }
  })
}
