// What solutions are called. The bundled example lies in a folder that is hidden and read only.
const BUNDLED = ".cleave/";

export function isBundled(file: string): boolean {
  return file.startsWith(BUNDLED);
}

// "river bet" of "river bet.h5": what names of new files begin with.
export function stemOf(file: string): string {
  return (isBundled(file) ? file.slice(BUNDLED.length) : file).replace(/\.h5$/, "");
}

export function titleOf(file: string): string {
  return isBundled(file) ? "Example spot" : stemOf(file);
}
