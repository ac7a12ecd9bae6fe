import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/query-client.ts";
import { App } from "./app.tsx";
import { language } from "./i18n/language.ts";
import { loadWords } from "./i18n/words.ts";
import { showMotion } from "./shell/motion.ts";
import { showTheme } from "./shell/theme.ts";
import "./stale-build.ts";
import "./style.css";

showTheme();
showMotion();
document.documentElement.lang = language();

const root = document.getElementById("root");
if (root) {
  await loadWords(language());
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
