// Taken by the bundler.
declare module '*.css'
