import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 5.7","description":"","frontmatter":{"title":"Requirement 5.7","prev":false,"next":false},"headers":[],"relativePath":"requirements/5.7.md","filePath":"site/pages/requirements/5.7.md"}');
const _sfc_main = { name: "requirements/5.7.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-57" tabindex="-1">Requirement 5.7 <a class="header-anchor" href="#requirement-57" aria-label="Permalink to &quot;Requirement 5.7&quot;">​</a></h1><blockquote><p>A refused delivery MUST have no effect.</p></blockquote><p>MUST · Source: Interface 5.3, rule 4</p><p><strong>Prevents:</strong> a forged or replayed payment is credited although it was refused.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/refusals/forged-has-no-effect"><code>forged-has-no-effect</code></a></td><td>An attacker can have goods shipped by a delivery that should have been refused.</td></tr><tr><td><a href="/hookproof/cases/refusals/altered-has-no-effect"><code>altered-has-no-effect</code></a></td><td>An attacker can have goods shipped by a delivery that should have been refused.</td></tr><tr><td><a href="/hookproof/cases/refusals/stale-has-no-effect"><code>stale-has-no-effect</code></a></td><td>An attacker can have goods shipped by a delivery that should have been refused.</td></tr><tr><td><a href="/hookproof/cases/refusals/unsigned-has-no-effect"><code>unsigned-has-no-effect</code></a></td><td>An attacker can have goods shipped by a delivery that should have been refused.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/5.7.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _5_7 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _5_7 as default
};
