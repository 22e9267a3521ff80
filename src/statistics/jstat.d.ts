/** The part of jstat we use; the package has no types of its own. */
declare module 'jstat' {
  interface JStat {
    /** Student's t distribution with `dof` degrees of freedom. */
    readonly studentt: { cdf(x: number, dof: number): number; inv(p: number, dof: number): number }
    readonly normal: { cdf(x: number, mean: number, std: number): number }
    /** Natural logarithm of the binomial coefficient. */
    combinationln(n: number, m: number): number
  }
  const jstat: JStat
  export default jstat
}
