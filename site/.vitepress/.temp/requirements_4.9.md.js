import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 4.9","description":"","frontmatter":{"title":"Requirement 4.9","prev":false,"next":false},"headers":[],"relativePath":"requirements/4.9.md","filePath":"site/pages/requirements/4.9.md"}');
const _sfc_main = { name: "requirements/4.9.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-49" tabindex="-1">Requirement 4.9 <a class="header-anchor" href="#requirement-49" aria-label="Permalink to &quot;Requirement 4.9&quot;">​</a></h1><blockquote><p>A receiver MUST refuse a body in which letters changed case or spaces inside strings were changed after signing, with status 401.</p></blockquote><p>MUST · Source: Interface 5.3, rules 3 and 5</p><p><strong>Prevents:</strong> an alteration goes unnoticed, because something other than the bytes is verified.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/body-bytes/letters-changed-case"><code>letters-changed-case</code></a></td><td>An attacker can change names, ids and codes in transit, because the receiver verifies a normalized text instead of the bytes it received.</td></tr><tr><td><a href="/hookproof/cases/body-bytes/spaces-in-strings-changed"><code>spaces-in-strings-changed</code></a></td><td>An attacker can change names, ids and codes in transit, because the receiver verifies a normalized text instead of the bytes it received.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/4.9.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _4_9 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _4_9 as default
};
