/** Zip archives of files, dated 1980-01-01 (the zero of zip's calendar), as office programs write them. */
import { crc32 } from 'node:zlib';
import { deflated } from './deflate.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

const [STORED, DEFLATED] = [0, 8];
const LOCKED = 1;
const UTF8_NAMES = 0x0800;

/** With a password: locked as zip did it from the beginning, and every program still opens. */
export function zip(files: Files, password: string | null = null): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const path = Buffer.from(name);
    const { head, data } = packed(path, Buffer.from(content), password);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, path, data]);
    central.push(Buffer.from('PK\x01\x02'), uint16(20), head, uint16(0, 0, 0), uint32(0, offset), path);
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const count = locals.length;
  const end = Buffer.concat([uint16(0, 0, count, count), uint32(directory.length, offset), uint16(0)]);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}

/** `head`: version, flags, method, time, date, sum, sizes and the length of the name, the same in both headers. */
function packed(path: Buffer, content: Buffer, password: string | null): { head: Buffer; data: Buffer } {
  const small = deflated(content);
  const isKind = path.toString() === 'mimetype'; // has to be readable as it is
  const method = small.length < content.length && !isKind ? DEFLATED : STORED;
  const plain = method === DEFLATED ? small : content;
  const sum = crc32(content);
  const data = password === null ? plain : locked(plain, password, sum);
  const flags = (password === null ? 0 : LOCKED) | (path.some((byte) => byte > 0x7f) ? UTF8_NAMES : 0);
  const head = [
    uint16(20, flags, method, 0, 0x21),
    uint32(sum, data.length, content.length),
    uint16(path.length, 0),
  ];
  return { head: Buffer.concat(head), data };
}

/** Behind eleven bytes of chance (here: not of chance) and the highest of the sum, which proves the password. */
function locked(bytes: Buffer, password: string, sum: number): Buffer {
  const lock = new Lock();
  for (const byte of Buffer.from(password)) lock.take(byte);
  const head = Buffer.from(`Brightwater${String.fromCharCode(sum >>> 24)}`, 'latin1');
  return Buffer.from(Buffer.concat([head, bytes]).map((byte) => lock.encrypt(byte)));
}

class Lock {
  #a = 0x12345678;
  #b = 0x23456789;
  #c = 0x34567890;

  encrypt(byte: number): number {
    const mask = (this.#c | 2) & 0xffff;
    this.take(byte);
    return byte ^ ((Math.imul(mask, mask ^ 1) >>> 8) & 0xff);
  }

  take(byte: number): void {
    this.#a = summed(this.#a, byte);
    this.#b = (Math.imul(this.#b + (this.#a & 0xff), 134_775_813) + 1) >>> 0;
    this.#c = summed(this.#c, this.#b >>> 24);
  }
}

/** One step of CRC-32 without the turning at the start and the end. */
function summed(sum: number, byte: number): number {
  return ~crc32(Buffer.of(byte), ~sum >>> 0) >>> 0;
}

const uint16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const uint32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
