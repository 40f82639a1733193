// Numbers as the command line prints them: fmt's {:.2f}, {:.3g} and {:.1f}% round the exact value of a
// double, and exact ties to even. JavaScript's toFixed and toPrecision round ties up.

// {:.Nf}
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return special(value);
  const size = Math.abs(value);
  if (size >= 1e21) return (value < 0 ? "-" : "") + BigInt(size).toString() + zeros(digits);
  const text = size.toFixed(digits);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  // A tie is an odd multiple of 10^-digits / 2; of doubles those are odd multiples of 2^-(digits + 1).
  const halves = size * 2 ** (digits + 1);
  const tie = halves <= Number.MAX_SAFE_INTEGER && halves % 2 === 1;
  return sign + (tie && isOdd(text) ? stepDown(text, digits) : text);
}

function special(value: number): string {
  return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
}
function zeros(digits: number): string {
  return digits > 0 ? `.${"0".repeat(digits)}` : "";
}
function isOdd(text: string): boolean {
  return Number(text.at(-1)) % 2 === 1;
}
// The number whose last digit is one less; the digit is odd, so nothing is carried.
function stepDown(text: string, digits: number): string {
  const number = BigInt(text.replace(".", "")) - 1n;
  const all = number.toString().padStart(digits + 1, "0");
  return digits > 0 ? `${all.slice(0, -digits)}.${all.slice(-digits)}` : all;
}

// {:.Ng}; {:g} is general(value, 6)
export function general(value: number, digits: number): string {
  if (!Number.isFinite(value)) return special(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  if (size === 0) return `${sign}0`;
  const [mantissa, power] = scientific(size, digits);
  if (power < -4 || power >= digits) {
    const exponent = `${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
    return `${sign}${withPoint(mantissa, 1)}e${exponent}`;
  }
  if (power >= 0) return sign + withPoint(mantissa, power + 1);
  return sign + withPoint("0".repeat(-power) + mantissa, 1);
}

// Digits with a point behind the first `whole` of them, without zeros at the end.
function withPoint(digits: string, whole: number): string {
  const rest = digits.slice(whole).replace(/0+$/, "");
  return digits.slice(0, whole) + (rest ? `.${rest}` : "");
}

// `digits` digits and the power of ten of the first one, rounded exactly with ties to even.
function scientific(size: number, digits: number): [string, number] {
  const [above, below] = exactFraction(size);
  let power = Number(size.toExponential().split("e")[1]);
  for (;;) {
    const shift = digits - 1 - power;
    const up = shift > 0 ? 10n ** BigInt(shift) : 1n;
    const down = shift < 0 ? 10n ** BigInt(-shift) : 1n;
    const text = divideToEven(above * up, below * down).toString();
    if (text.length === digits) return [text, power];
    power += text.length > digits ? 1 : -1;
  }
}

// A double as a fraction of whole numbers.
function exactFraction(size: number): [bigint, bigint] {
  let scaled = size;
  let twos = 0;
  while (scaled !== Math.floor(scaled)) {
    scaled *= 2;
    twos++;
  }
  return [BigInt(scaled), 1n << BigInt(twos)];
}

function divideToEven(above: bigint, below: bigint): bigint {
  const whole = above / below;
  const twice = 2n * (above % below);
  const up = twice > below || (twice === below && whole % 2n === 1n);
  return up ? whole + 1n : whole;
}

// {:.1f}% of a share of 1
export function percent(share: number, digits = 1): string {
  return `${fixed(100 * share, digits)}%`;
}

// What `cleave show` prints.
export function ev(chips: number): string {
  return fixed(chips, 2);
}
export function combos(count: number): string {
  return fixed(count, count < 1 ? 3 : 1);
}
export function chips(count: number): string {
  return general(count, 6);
}
// {:+.9f}: values of games.
export function signed9(value: number): string {
  const size = Math.abs(value) < 5e-10 ? 0 : value;
  return (size < 0 ? "" : "+") + fixed(size, 9);
}
// "0.196 chips (0.0979% of the pot)"
export function exploitability(value: number, percentOfPot: number): string {
  return `${general(value, 3)} chips (${general(percentOfPot, 3)}% of the pot)`;
}

// 12,345
export function grouped(count: number): string {
  if (Math.abs(count) > Number.MAX_SAFE_INTEGER) return general(count, 3);
  return Math.trunc(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

export function bytes(count: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let unit = 0;
  while (count >= 1024 && unit < 6) {
    count /= 1024;
    unit++;
  }
  if (count >= 1e6) return `${general(count, 3)} ${units[unit]}`;
  return `${fixed(count, unit === 0 ? 0 : 1)} ${units[unit]}`;
}

export function seconds(count: number): string {
  if (count < 1e-3) return `${fixed(count * 1e6, 0)} us`;
  if (count < 1) return `${general(count * 1e3, 3)} ms`;
  if (count < 100) return `${general(count, 3)} s`;
  const whole = Math.round(count);
  if (whole < 6000) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
}

// With its sign, for differences: +1.25, 0.00, -0.50.
export function signed(value: number, write: (value: number) => string): string {
  const text = write(value);
  if (!/[1-9]/.test(text)) return text.replace(/^-/, "");
  return value > 0 ? `+${text}` : text;
}

// When: today's time, else the day.
export function moment(secondsSince1970: number): string {
  const then = new Date(secondsSince1970 * 1000);
  const today = then.toDateString() === new Date().toDateString();
  return today
    ? then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : then.toLocaleDateString([], { year: "numeric", month: "short", day: "numeric" });
}
