import { endianness } from 'node:os'

const LITTLE = endianness() === 'LE'

/** A vector as the store keeps it: 32-bit floats, little-endian, in base64. */
export function textOfVector(vector: Float32Array): string {
  const bytes = Buffer.from(Float32Array.from(vector).buffer)
  return (LITTLE ? bytes : bytes.swap32()).toString('base64')
}

export function vectorOf(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64')
  const own = Buffer.alloc(bytes.length - (bytes.length % 4))
  bytes.copy(own)
  if (!LITTLE) own.swap32()
  return new Float32Array(own.buffer, own.byteOffset, own.length / 4)
}
