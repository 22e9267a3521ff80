/** Rounds boundaries of $bucketAuto to a series of preferred numbers, always away from the value. */
export interface Granularity {
  readonly name: string
  /** The least number of the series above the value; 0 stays 0. */
  readonly up: (value: number) => number
  /** The greatest number of the series below the value; 0 stays 0. */
  readonly down: (value: number) => number
}

// Preferred numbers: the Renard series, 1-2-5 and the E series of IEC 60063, each over one decade, as MongoDB has them
// (its R40 lacks 335, its R80 holds only the numbers between those of R40).
const SERIES: Readonly<Record<string, string>> = {
  R5: '10 16 25 40 63',
  R10: '100 125 160 200 250 315 400 500 630 800',
  R20: '100 112 125 140 160 180 200 224 250 280 315 355 400 450 500 560 630 710 800 900',
  R40: '100 106 112 118 125 132 140 150 160 170 180 190 200 212 224 236 250 265 280 300 315 355 375 400 425 450 475 500 530 560 600 630 670 710 750 800 850 900 950',
  R80: '103 109 115 122 128 136 145 155 165 175 185 195 206 218 230 243 258 272 290 307 325 345 365 387 412 437 462 487 515 545 575 615 650 690 730 775 825 875 925 975',
  '1-2-5': '10 20 50',
  E6: '10 15 22 33 47 68',
  E12: '10 12 15 18 22 27 33 39 47 56 68 82',
  E24: '10 11 12 13 15 16 18 20 22 24 27 30 33 36 39 43 47 51 56 62 68 75 82 91',
}

/** E48, E96 and E192 are powers of ten rounded to three digits; 9.19 of E192 is 9.20 by the standard. */
function roundedSeries(count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => {
    const number = Math.round(100 * 10 ** (i / count))
    return number === 919 ? 920 : number
  })
}

const series = new Map<string, readonly number[]>([
  ...Object.entries(SERIES).map(([name, numbers]) => [name, numbers.split(' ').map(Number)] as const),
  ...[48, 96, 192].map(count => [`E${count}`, roundedSeries(count)] as const),
])

function preferred(name: string, numbers: readonly number[]): Granularity {
  const lowest = numbers[0]!
  const highest = numbers.at(-1)!
  return {
    name,
    up: value => {
      if (value === 0 || !Number.isFinite(value)) return value
      let scale = 1
      while (value >= highest * scale) scale *= 10
      while (value < lowest * scale) {
        const next = lowest * scale
        scale /= 10
        // Between the last of one decade and the first of the next.
        if (value >= highest * scale) return next
      }
      return numbers.find(number => value < number * scale)! * scale
    },
    down: value => {
      if (value === 0 || !Number.isFinite(value)) return value
      let scale = 1
      while (value <= lowest * scale) scale /= 10
      while (value > highest * scale) {
        const last = highest * scale
        scale *= 10
        if (value <= lowest * scale) return last
      }
      return numbers.findLast(number => number * scale < value)! * scale
    },
  }
}

const powersOfTwo: Granularity = {
  name: 'POWERSOF2',
  up: value => (value === 0 ? 0 : 2 ** (Math.floor(Math.log2(value)) + 1)),
  down: value => (value === 0 ? 0 : 2 ** (Math.ceil(Math.log2(value)) - 1)),
}

/** The granularities $bucketAuto knows. */
export const granularities: ReadonlyMap<string, Granularity> = new Map([
  ...[...series].map(([name, numbers]) => [name, preferred(name, numbers)] as const),
  [powersOfTwo.name, powersOfTwo],
])
