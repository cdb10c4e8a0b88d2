/** One hash over the name and content of everything the build reads. */
export function hashInputs(): string
