export function requireChromium() {}
