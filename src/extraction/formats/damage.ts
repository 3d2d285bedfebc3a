/** The data is not what it claims to be. The message is the reading's reason. */
export class Damage extends Error {
  constructor(what: string) {
    super(`corrupt: ${what}`);
    this.name = 'Damage';
  }
}
