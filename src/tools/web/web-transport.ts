/** What came before the body. */
export interface ResponseHead {
  readonly status: number;
  /** By lower-case name; repeated ones are joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
}

export interface TransportRequest {
  readonly url: URL;
  /** Where to connect, and nowhere else: the addresses that were checked. Never empty. */
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Of the body, on the wire and unpacked each. */
  readonly maxBytes: number;
  /** How much of the body is wanted, in bytes; 0 leaves it unread. Never more than `maxBytes` is read. */
  readonly wanted: (head: ResponseHead) => number;
  readonly signal: AbortSignal;
}

export interface TransportResponse extends ResponseHead {
  /** Unpacked, up to the limit. */
  readonly body: Uint8Array;
  /** There was more than the limit. */
  readonly truncated: boolean;
}

/**
 * The network below the guard. Both functions reject with a ToolError in words, or with the signal's reason; when they have settled,
 * no socket of theirs is open. No proxy, no redirect, no cookie, no cache.
 */
export interface WebTransport {
  /** Every address of a name. */
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]>;
  get(request: TransportRequest): Promise<TransportResponse>;
}
