/** One hash over the name and content of everything the build reads. */
export function hashInputs(): string
/** Whether `dist` was made from exactly the files that are here now. */
export function buildIsFresh(): boolean
