import { ModelFault } from '../../evaluation/model/model-fault.js'

/** Bytes at the beginning that tell a recording. */
export const MAGIC_BYTES = 12

/** Brands of HEIF and AVIF. */
const PICTURES = /^(?:hei|hev|mif|msf|avi)/

/** The media type of a recording by what it holds; undefined for anything else. @param head its first 12 bytes or more */
export function mediaTypeOf(head: Buffer): string | undefined {
  const text = head.toString('latin1', 0, MAGIC_BYTES)
  if (text.startsWith('RIFF') && text.slice(8) === 'WAVE') return 'audio/wav'
  if (text.startsWith('OggS')) return 'audio/ogg'
  // Its brand tells it from pictures, which begin alike.
  if (text.slice(4, 8) === 'ftyp') return PICTURES.test(text.slice(8)) ? undefined : 'audio/mp4'
  // An MPEG frame of layer III: eleven bits that are set, then version and layer. The other layers are nobody's recordings.
  const isFrame = head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2
  return text.startsWith('ID3') || isFrame ? 'audio/mpeg' : undefined
}

/** Codecs whose samples lie side by side: PCM, floating point, A-law and µ-law. */
const SPLITTABLE: ReadonlySet<number> = new Set([1, 3, 6, 7])
/** Says that the codec stands further behind. */
const EXTENSIBLE = 0xfffe
const HEADER_BYTES = 44

/**
 * The channels of a WAV file as a WAV file each. Samples are moved, not read, so that none of its codecs has to be known.
 * @throws ModelFault for one channel, another codec, or no WAV file
 */
export function splitChannels(wav: Buffer): readonly Buffer[] {
  let format: Buffer | undefined
  for (let at = HEADER_OF_RIFF; at + 8 <= wav.length;) {
    const id = wav.toString('latin1', at, at + 4)
    const size = wav.readUInt32LE(at + 4)
    // What was written as a stream says a size that it does not have.
    // And one that says none.
    const end = id === 'data' && size === 0 ? wav.length : at + 8 + size
    const body = wav.subarray(at + 8, end)
    if (id === 'fmt ') format = body
    if (id === 'data' && format !== undefined && format.length >= 16) return channelsOf(format, body)
    at += 8 + size + (size % 2)
  }
  throw new ModelFault('is a damaged WAV file: it has no samples')
}

const HEADER_OF_RIFF = 12

function channelsOf(format: Buffer, samples: Buffer): readonly Buffer[] {
  const tag = format.readUInt16LE(0)
  const codec = tag === EXTENSIBLE && format.length >= 26 ? format.readUInt16LE(24) : tag
  const channels = format.readUInt16LE(2)
  const frameBytes = format.readUInt16LE(12)
  const bits = format.readUInt16LE(14)
  const sampleBytes = frameBytes / channels
  if (channels < 2) throw new ModelFault('has one channel only: leave out --channels for it')
  if (!SPLITTABLE.has(codec) || !Number.isInteger(sampleBytes) || sampleBytes < 1) {
    throw new ModelFault('is a WAV file of a codec that can’t be split by channel: convert it to PCM first')
  }
  const frames = Math.floor(samples.length / frameBytes)
  const split = Array.from({ length: channels }, () => {
    const one = Buffer.alloc(HEADER_BYTES + frames * sampleBytes)
    writeHeader(one, { codec, rate: format.readUInt32LE(4), sampleBytes, bits })
    return one
  })
  for (let frame = 0; frame < frames; frame += 1) {
    for (const [channel, one] of split.entries()) {
      const from = frame * frameBytes + channel * sampleBytes
      const to = HEADER_BYTES + frame * sampleBytes
      for (let byte = 0; byte < sampleBytes; byte += 1) one[to + byte] = samples[from + byte]!
    }
  }
  return split
}

interface Mono {
  readonly codec: number
  /** Samples a second. */
  readonly rate: number
  readonly sampleBytes: number
  readonly bits: number
}

function writeHeader(wav: Buffer, { codec, rate, sampleBytes, bits }: Mono): void {
  wav.write('RIFF', 0, 'latin1')
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.write('WAVEfmt ', 8, 'latin1')
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(codec, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(rate, 24)
  wav.writeUInt32LE(rate * sampleBytes, 28)
  wav.writeUInt16LE(sampleBytes, 32)
  wav.writeUInt16LE(bits, 34)
  wav.write('data', 36, 'latin1')
  wav.writeUInt32LE(wav.length - HEADER_BYTES, 40)
}
