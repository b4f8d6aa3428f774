import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 11.1","description":"","frontmatter":{"title":"Requirement 11.1","prev":false,"next":false},"headers":[],"relativePath":"requirements/11.1.md","filePath":"site/pages/requirements/11.1.md"}');
const _sfc_main = { name: "requirements/11.1.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-111" tabindex="-1">Requirement 11.1 <a class="header-anchor" href="#requirement-111" aria-label="Permalink to &quot;Requirement 11.1&quot;">​</a></h1><blockquote><p>A response MUST NOT contain the signing secret.</p></blockquote><p>MUST · Source: Convention: Interface 5.5 says the same of API keys</p><p><strong>Prevents:</strong> anyone who sees the response can sign payments.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/disclosure/no-secret-in-a-refusal"><code>no-secret-in-a-refusal</code></a></td><td>A rejected request leaks the signing secret, which lets an attacker sign any delivery.</td></tr><tr><td><a href="/hookproof/cases/disclosure/no-secret-after-an-unreadable-body"><code>no-secret-after-an-unreadable-body</code></a></td><td>A rejected request leaks the signing secret, which lets an attacker sign any delivery.</td></tr><tr><td><a href="/hookproof/cases/disclosure/no-secret-in-an-answer-to-get"><code>no-secret-in-an-answer-to-get</code></a></td><td>Anyone who opens the address in a browser gets the signing secret and can sign any delivery.</td></tr><tr><td><a href="/hookproof/cases/disclosure/no-secret-in-any-response"><code>no-secret-in-any-response</code></a></td><td>Some request gets the signing secret in its response, which lets an attacker sign any delivery.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/11.1.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _11_1 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _11_1 as default
};
