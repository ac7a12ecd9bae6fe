import { useEffect, useState } from "react";
import { isUnanswered } from "../api/unanswered.ts";
import { isSignedOut } from "./session.ts";

const KEY = "andon.unfinished";

/** A decision that was open when the session ended. */
export interface Unfinished {
  /** The title of its dialog. */
  readonly about: string;
  readonly reason: string;
  /** It was sent, and no answer was received. */
  readonly isSent: boolean;
  /** The person has been informed; only the reason is still kept. */
  readonly isTold?: boolean;
}

export function unfinished(): Unfinished | undefined {
  return JSON.parse(sessionStorage.getItem(KEY) ?? "null") ?? undefined;
}

/** Called after the next login, when the person has read what happened to it. */
export function tellUnfinished(): void {
  const left = unfinished();
  if (left) keep({ ...left, isTold: true });
}

function keep(left: Unfinished): void {
  sessionStorage.setItem(KEY, JSON.stringify(left));
}

interface Reason {
  readonly reason: string;
  readonly setReason: (reason: string) => void;
  /** Sends the decision, and remembers until the answer that it was sent. */
  readonly sent: <T>(sending: Promise<T>) => Promise<T>;
}

/**
 * The reason of an open decision, stored as long as the dialog is open: if the session ends and the page is replaced, the same
 * dialog has the reason again afterwards.
 */
export function useReason(about: string): Reason {
  const [reason, setReason] = useState(() => {
    const left = unfinished();
    return left?.about === about ? left.reason : "";
  });
  const [isSent, setSent] = useState(false);
  useEffect(() => keep({ about, reason, isSent }), [about, reason, isSent]);
  useEffect(
    () => () => {
      if (!isSignedOut()) sessionStorage.removeItem(KEY);
    },
    [],
  );
  const sent = async <T>(sending: Promise<T>): Promise<T> => {
    setSent(true);
    try {
      return await sending;
    } catch (error) {
      setSent(isUnanswered(error));
      throw error;
    }
  };
  return { reason, setReason, sent };
}
