import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 4.5","description":"","frontmatter":{"title":"Requirement 4.5","prev":false,"next":false},"headers":[],"relativePath":"requirements/4.5.md","filePath":"site/pages/requirements/4.5.md"}');
const _sfc_main = { name: "requirements/4.5.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-45" tabindex="-1">Requirement 4.5 <a class="header-anchor" href="#requirement-45" aria-label="Permalink to &quot;Requirement 4.5&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a body in which invalid UTF-8 bytes were replaced by U+FFFD after signing, or the reverse, with status 401, or with 400 or 422 if it is no longer JSON.</p></blockquote><p>MUST · Source: Interface 5.3, rules 3 and 5: decoding to text first hides the change</p><p><strong>Prevents:</strong> an alteration goes unnoticed, because decoding the body hides it.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/body-bytes/replacement-characters"><code>replacement-characters</code></a></td><td>An attacker can change a body in transit, because the receiver verifies something other than the bytes it received.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/replacement-characters-reversed"><code>replacement-characters-reversed</code></a></td><td>An attacker can change a body in transit, because the receiver verifies something other than the bytes it received.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/4.5.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _4_5 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _4_5 as default
};
