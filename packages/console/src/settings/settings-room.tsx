import { useWords } from "../i18n/words.ts";
import { NameForm } from "../session/name-form.tsx";
import { useMe } from "../session/session.ts";
import { Shortcuts } from "../shell/help.tsx";
import { LanguageSwitch, MotionSwitch, ThemeSwitch } from "../shell/switches.tsx";
import { Fact, Facts, PageHead, Panel } from "../ui/panel.tsx";

const PAGES = { apiDocs: "/docs", openapi: "/openapi.json", metrics: "/metrics" } as const;

export default function SettingsRoom() {
  const { settings: say, shell, login } = useWords();
  const me = useMe();
  const scope = [me.tenantId, me.organizationId].filter((part) => part !== null).join(" / ");
  return (
    <>
      <PageHead title={say.title} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title={say.me}>
          <Facts>
            <Fact name={say.actor}>{me.actor}</Fact>
            {me.canBeNamed && (
              <Fact name={login.yourName}>
                <NameForm />
              </Fact>
            )}
            <Fact name={say.permissions}>
              <span className="font-mono text-xs">{me.permissions.join(" ")}</span>
            </Fact>
            <Fact name={say.scope}>{scope || say.wholeScope}</Fact>
          </Facts>
        </Panel>
        <Panel title={say.look}>
          <Facts>
            <Fact name={shell.languageLabel}>
              <LanguageSwitch />
            </Fact>
            <Fact name={shell.themeLabel}>
              <ThemeSwitch />
            </Fact>
            <Fact name={shell.motionLabel}>
              <MotionSwitch />
            </Fact>
          </Facts>
        </Panel>
        <Panel title={say.api}>
          <ul className="px-4 py-3">
            {(Object.keys(PAGES) as (keyof typeof PAGES)[]).map((name) => (
              <li key={name}>
                <a href={PAGES[name]} className="text-accent underline">
                  {say[name]}
                </a>{" "}
                <code className="font-mono text-xs text-faint">{PAGES[name]}</code>
              </li>
            ))}
          </ul>
        </Panel>
        <Panel title={say.keyboard}>
          <div className="px-4 py-3">
            <Shortcuts />
          </div>
        </Panel>
      </div>
    </>
  );
}
