import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useWords } from "../i18n/words.ts";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";

const SHOWN_MS = 2_000;

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { common } = useWords();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <Button
      tone="quiet"
      icon={isCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{isCopied ? common.copied : (label ?? common.copy)}</span>
    </Button>
  );
}
